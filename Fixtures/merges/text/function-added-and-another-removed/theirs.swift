func first() {
  guard isReady else {
    return
  }
  count += 1
  return
}

func second() {
  guard isReady else {
    return
  }
  count += 2
  return
}

func third() {
  guard isReady else {
    return
  }
  count += 1
  return
}

