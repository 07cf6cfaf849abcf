I {
  R { x: 1 }
  R {
    id: two
  }
  T { y: 1 }
  U { w: two.width }
}
