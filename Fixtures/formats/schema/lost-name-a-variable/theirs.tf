# T
variable "old" {
}
variable "b" {
}
resource "x" "y" {
  m = var.old
}
