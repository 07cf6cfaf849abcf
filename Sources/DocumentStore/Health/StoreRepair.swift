internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Repairs one store step by step; a repair that stops after any step leaves the store no worse.
///
/// The replacement is on disk before the damaged part moves to the quarantine, so a killed repair can be
/// started again.
struct StoreRepair {
  private let session: RepairSession

  init(_ location: DocumentLocation, _ request: RepairRequest) {
    session = RepairSession(location, request)
  }

  var outcome: Repair { session.outcome }

  /// The last check of the store; nil before the first one.
  var lastCheck: StoreCheck? { session.lastCheck }

  /// Takes the store's lock; another item in its place is moved away first.
  func lock() throws -> FileLock {
    try LayoutRepair(session: session).lock()
  }

  /// Carries out all steps in the order in which they depend on each other.
  func run() throws {
    let layout = LayoutRepair(session: session)
    let (objects, references) = (ObjectRepair(session: session), ReferenceRepair(session: session))
    let (heads, chain) = (HeadRepair(session: session), ContentChainRepair(session: session))
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
    try session.checkAgain()
  }
}
