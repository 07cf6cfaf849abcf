echo zero
echo one
echo two
echo three
