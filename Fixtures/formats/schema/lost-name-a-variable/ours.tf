# T
variable "b" {
}
resource "x" "y" {
}
