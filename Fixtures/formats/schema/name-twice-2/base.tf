variable "a" {
  x: Int
}

variable "b" {
  x: Int
}

variable "c" {
  x: Int
}

