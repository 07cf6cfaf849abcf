echo one
echo two
echo three
echo four
