/// A file or link with its path on each side.
struct AlignedMember {
  /// The path in base; `nil` if the member is new.
  let base: PackagePath?
  /// The path in ours; `nil` if ours lacks the member.
  let ours: PackagePath?
  /// The path in theirs; `nil` if theirs lacks the member.
  let theirs: PackagePath?
  /// The path that the sides chose, that of ours first.
  let wantedPlace: PackagePath
  /// The sides that chose that path.
  let namedBy: Set<MergeSide>
  /// The side that renamed the folder in which the other side put the member.
  let folderRenamedBy: MergeSide?
  /// The path at which the member is merged, and at which the result has it unless an answer says otherwise.
  var place: PackagePath
  /// The path that theirs chose, if both sides renamed the member differently.
  var alternative: PackagePath?
  /// The path of another member that should also have been here.
  var crowdedOut: PackagePath?
  /// The side that may have a different member at this path.
  var unclearBy: MergeSide?

  /// True if a side has the member at another path.
  var isMoved: Bool {
    [base, ours, theirs].contains { $0.map { $0 != place } ?? false }
  }

  /// True if ours renamed the member.
  var isRenamedByOurs: Bool { base != nil && ours != nil && ours != base }
  /// True if theirs renamed the member.
  var isRenamedByTheirs: Bool { base != nil && theirs != nil && theirs != base }
  /// True if both sides renamed the member differently.
  var isRenamedTwice: Bool {
    isRenamedByOurs && isRenamedByTheirs && ours != theirs && folderRenamedBy == nil
  }
  /// True if one side renamed the member and the other side deleted it.
  var isRenamedAndDeleted: Bool {
    isRenamedByOurs && theirs == nil || isRenamedByTheirs && ours == nil
  }

  /// Creates a member of base.
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

  /// Creates a member that ours, theirs or both added.
  /// - Parameter isStaying: Whether the member doesn't move with its folder.
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

  /// Creates the member that both sides added equally.
  init(joining first: AlignedMember, _ second: AlignedMember) {
    (base, ours, theirs) = (nil, first.ours ?? second.ours, first.theirs ?? second.theirs)
    (wantedPlace, place) = (first.place, first.place)
    namedBy = [.ours, .theirs]
    folderRenamedBy = nil
  }

  /// The folders that each side renamed.
  struct Folders {
    let ours: RenamedFolders
    let theirs: RenamedFolders
  }
}
