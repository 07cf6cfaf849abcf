extension RepairSession {
  /// Carries out all steps in the order in which they depend on each other.
  func run() throws {
    let layout = LayoutRepair(session: self)
    let (objects, references) = (ObjectRepair(session: self), ReferenceRepair(session: self))
    let (heads, chain) = (HeadRepair(session: self), ContentChainRepair(session: self))
    // The rest can't be checked before these are moved away.
    guard try layout.moveMisplaced() else { return }
    try layout.narrow()
    try objects.refuseBorrowed()
    try layout.repairParts()
    try layout.repairConfiguration()
    try heads.repairHeadFile()
    try objects.repairFiles()
    try objects.fetchMissing()
    try references.repairDamaged()
    try references.restoreLost()
    // Objects that the references now lead to may be missing, too.
    try objects.fetchMissing()
    try chain.giveUpLostVersions()
    try chain.repair()
    try heads.repairHead()
    try heads.repairLedger()
    try layout.removeCheckouts()
    try layout.removeTemporaryFiles()
    try checkAgain()
  }
}
