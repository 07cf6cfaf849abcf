echo a
echo b
echo d
