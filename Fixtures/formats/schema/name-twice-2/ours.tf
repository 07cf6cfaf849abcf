variable "a" {
  x: Int
}

variable "n" {
  default = 1
}

variable "b" {
  x: Int
}

variable "c" {
  x: Int
}

