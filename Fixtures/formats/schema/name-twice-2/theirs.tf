variable "a" {
  x: Int
}

variable "b" {
  x: Int
}

variable "n" {
}

variable "c" {
  x: Int
}

