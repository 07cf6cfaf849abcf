/// One file, link or empty folder as the sides have it, wherever each of them has it.
struct AlignedMember {
  /// Where base has it; `nil` if it is new.
  let base: PackagePath?
  /// Where ours has it, if it does.
  let ours: PackagePath?
  /// Where theirs has it, if it does.
  let theirs: PackagePath?
  /// Where the sides want it, ours before theirs.
  let wantedPlace: PackagePath
  /// The sides that want it there.
  let namedBy: Set<PackageSide>
  /// Where it is merged: in the result, as long as nobody answers otherwise.
  var place: PackagePath
  /// Where theirs wants it, if both sides renamed it differently.
  var alternative: PackagePath?
  /// Where another member is that should have been here too.
  var crowdedOut: PackagePath?

  /// Whether a side has it elsewhere.
  var isMoved: Bool {
    [base, ours, theirs].contains { $0.map { $0 != place } ?? false }
  }

  /// Whether ours renamed it.
  var isRenamedByOurs: Bool { base != nil && ours != nil && ours != base }
  /// Whether theirs renamed it.
  var isRenamedByTheirs: Bool { base != nil && theirs != nil && theirs != base }
  /// Whether both sides renamed it, differently.
  var isRenamedTwice: Bool { isRenamedByOurs && isRenamedByTheirs && ours != theirs }
  /// Whether one side renamed what the other one deleted.
  var isRenamedAndDeleted: Bool {
    isRenamedByOurs && theirs == nil || isRenamedByTheirs && ours == nil
  }

  /// A member of base.
  init(base: PackagePath, ours: PackagePath?, theirs: PackagePath?, _ folders: Folders) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
    switch (ours, theirs) {
    case (let ours?, let theirs) where ours != base && (theirs == base || theirs == nil):
      wantedPlace = theirs.flatMap { _ in folders.theirs.place(of: ours) } ?? ours
      namedBy = [.ours]
    case (let ours, let theirs?) where theirs != base && (ours == base || ours == nil):
      wantedPlace = ours.flatMap { _ in folders.ours.place(of: theirs) } ?? theirs
      namedBy = [.theirs]
    default:
      wantedPlace = ours ?? base
      namedBy = ours == theirs ? [.ours, .theirs] : [.ours]
    }
    place = wantedPlace
  }

  /// A member that ours added, theirs, or both.
  /// - Parameter isStaying: Whether it does not go with its folder.
  init(
    ours: PackagePath?, theirs: PackagePath?, added path: PackagePath, _ folders: Folders,
    isStaying: Bool
  ) {
    (base, self.ours, self.theirs) = (nil, ours, theirs)
    var place: PackagePath?
    switch (ours, theirs) {
    case (_?, nil): (place, namedBy) = (folders.theirs.place(of: path), [.ours])
    case (nil, _?): (place, namedBy) = (folders.ours.place(of: path), [.theirs])
    default: namedBy = [.ours, .theirs]
    }
    wantedPlace = isStaying ? path : place ?? path
    self.place = wantedPlace
  }

  /// What was added to both sides alike.
  init(joining first: AlignedMember, _ second: AlignedMember) {
    (base, ours, theirs) = (nil, first.ours ?? second.ours, first.theirs ?? second.theirs)
    (wantedPlace, place) = (first.place, first.place)
    namedBy = [.ours, .theirs]
  }

  /// Which folders each side renamed.
  struct Folders {
    let ours: RenamedFolders
    let theirs: RenamedFolders
  }
}

/// One of the two sides that are merged.
enum PackageSide {
  case ours, theirs
}
