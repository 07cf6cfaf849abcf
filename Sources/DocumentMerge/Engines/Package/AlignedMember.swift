/// One file or link as the sides have it, wherever each of them has it.
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
  /// The side that renamed the folder in which the other one put it.
  let folderRenamedBy: PackageSide?
  /// Where it is merged: in the result, unless an answer says otherwise.
  var place: PackagePath
  /// Where theirs wants it, if both sides renamed it differently.
  var alternative: PackagePath?
  /// Where another member is that should have been here too.
  var crowdedOut: PackagePath?
  /// The side that may have another member in its place.
  var unclearBy: PackageSide?

  /// Whether a side has it elsewhere.
  var isMoved: Bool {
    [base, ours, theirs].contains { $0.map { $0 != place } ?? false }
  }

  /// Whether ours renamed it.
  var isRenamedByOurs: Bool { base != nil && ours != nil && ours != base }
  /// Whether theirs renamed it.
  var isRenamedByTheirs: Bool { base != nil && theirs != nil && theirs != base }
  /// Whether both sides renamed it, differently.
  var isRenamedTwice: Bool {
    isRenamedByOurs && isRenamedByTheirs && ours != theirs && folderRenamedBy == nil
  }
  /// Whether one side renamed what the other one deleted.
  var isRenamedAndDeleted: Bool {
    isRenamedByOurs && theirs == nil || isRenamedByTheirs && ours == nil
  }

  /// A member of base.
  init(base: PackagePath, ours: PackagePath?, theirs: PackagePath?, _ folders: Folders) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
    switch (ours, theirs) {
    case (let ours?, let theirs) where ours != base && (theirs == base || theirs == nil):
      let carried = theirs == nil ? nil : folders.theirs.place(of: ours)
      (wantedPlace, namedBy) = (carried ?? ours, [.ours])
      folderRenamedBy = carried == nil ? nil : .theirs
    case (let ours, let theirs?) where theirs != base && (ours == base || ours == nil):
      let carried = ours == nil ? nil : folders.ours.place(of: theirs)
      (wantedPlace, namedBy) = (carried ?? theirs, [.theirs])
      folderRenamedBy = carried == nil ? nil : .ours
    case (let ours?, let theirs?) where folders.ours.place(of: theirs) == ours:
      (wantedPlace, namedBy, folderRenamedBy) = (ours, [.ours, .theirs], .ours)
    case (let ours?, let theirs?) where folders.theirs.place(of: ours) == theirs:
      (wantedPlace, namedBy, folderRenamedBy) = (theirs, [.ours, .theirs], .theirs)
    default:
      wantedPlace = ours ?? base
      namedBy = ours == theirs ? [.ours, .theirs] : ours == nil ? [.theirs] : [.ours]
      folderRenamedBy = nil
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
    let carried: PackagePath?
    switch (ours, theirs) {
    case _ where isStaying: carried = nil
    case (_?, nil): carried = folders.theirs.place(of: path)
    case (nil, _?): carried = folders.ours.place(of: path)
    default: carried = nil
    }
    namedBy = ours == nil ? [.theirs] : theirs == nil ? [.ours] : [.ours, .theirs]
    folderRenamedBy = carried == nil ? nil : ours == nil ? .ours : .theirs
    wantedPlace = carried ?? path
    place = wantedPlace
  }

  /// What was added to both sides alike.
  init(joining first: AlignedMember, _ second: AlignedMember) {
    (base, ours, theirs) = (nil, first.ours ?? second.ours, first.theirs ?? second.theirs)
    (wantedPlace, place) = (first.place, first.place)
    namedBy = [.ours, .theirs]
    folderRenamedBy = nil
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
