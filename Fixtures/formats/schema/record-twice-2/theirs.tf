resource "a" "b" {
  a = 1
  b = 2
  n = 2
}
