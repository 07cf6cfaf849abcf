I {
  R { x: 1 }
  T { y: 1 }
