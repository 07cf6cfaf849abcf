package import Foundation

/// The name of a conflicted copy, as a tool that syncs folders creates it.
///
/// | tool | name of a copy of `trip.md` |
/// | --- | --- |
/// | Syncthing | `trip.sync-conflict-20261121-025448-UWZBLXH.md` |
/// | Nextcloud, ownCloud | `trip (conflicted copy mira 2026-11-21 025448).md`, person optional |
/// | ownCloud before 2.5 | `trip_conflict-20261121-025448.md`, `trip_conflict-mira-20261121-025448.md` |
/// | Nextcloud, Dropbox, two spellings | `trip (case clash from mira).md`, `trip (Case Conflict).md` |
/// | Dropbox | `trip (Mira's conflicted copy 2026-11-21).md`, and its words in other languages |
/// | Seafile | `trip (SFConflict mira@example.org 2026-11-21-02-54-48).md` |
/// | Synology | `trip_Mira-PC_Nov-21-0254-2026_Conflict.md`, `…_CaseConflict_1.md` |
/// | Resilio Sync | `trip.Conflict.md`, `trip.Conflict1.md` |
/// | Obsidian Sync | `trip (Conflicted copy laptop 202611210254).md` |
/// | FSNotes | `trip (CONFLICT 2026-11-21 02.54).md` |
/// | Unison | `trip (conflict_on_2026-11-21).md`, `trip (conflict #1_on_2026-11-21).md` |
/// | git-annex | `trip.variant-2a3f.md` |
/// | rclone bisync | `trip.md..path1`, `trip.md.conflict1`, `trip.conflict1.md` |
/// | Google Drive, pCloud | `trip [Conflict].md`, `trip [conflicted].md` |
/// | Box | `trip (conflict copy by Mira 2026-11-21).md` |
/// | OneDrive | `trip-LAPTOP.md` |
/// | iCloud Drive, Google Drive | `trip 2.md`, `trip (1).md` |
/// | editors | `trip.md.orig`, `trip.md.mine` |
///
/// The name contains the document, the tool, the person, the device and the time. Other documents may also
/// have names as in the last three rows: see ``isCertain``. A copy of a copy has several marks; the outermost
/// names the tool that created it.
package struct ConflictedCopyName: Sendable, Hashable {
  /// A tool that creates conflicted copies.
  package struct Tool: RawRepresentable, Hashable, Sendable {
    /// The tool's name, as people write it.
    package let rawValue: String

    /// Creates a tool from its name.
    package init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The name of the copy.
  package let name: String
  /// The name of the document that it is a copy of.
  package let documentName: String
  /// The tools whose marks the name has, outermost first.
  package let tools: [Tool]
  /// The person; `nil` if the name has none.
  package let author: String?
  /// The device; `nil` if the name has none.
  package let device: String?
  /// The time in the name, read as UTC; `nil` if it has none.
  ///
  /// Names have the local time of the device that created them, without a time zone. Reading it as UTC gives
  /// the same time on every device.
  package let date: Date?
  /// True if the name alone shows that it is a copy; false if another document may have such a name.
  package let isCertain: Bool

  /// Reads the name of a file; `nil` if the name alone doesn't show that the file is a copy.
  package init?(_ name: String) {
    guard let name = Self.certain(name) else { return nil }
    self = name
  }

  /// Returns the readings of a name that another document may also have, such as `trip 2.md`, most likely
  /// first.
  ///
  /// They count only if the document that they name is beside the file and resembles it.
  package static func possible(_ name: String) -> [ConflictedCopyName] {
    let certain = certain(name)
    let inner = Array((certain?.documentName ?? name).utf8)
    return CopyMark.possible(in: inner).map { ConflictedCopyName(name, after: certain, $0) }
  }

  /// Returns the reading of a name from a tool that renames all sides of a conflict, which leaves no
  /// document; `nil` for any other name.
  ///
  /// It counts if the document that it names has versions.
  package static func ofAllSides(_ name: String) -> ConflictedCopyName? {
    if let certain = certain(name), certain.leavesNoDocument { return certain }
    guard Array(name.utf8).contains(subsequence: ".conflict") else { return nil }
    return possible(name).first(where: \.leavesNoDocument)
  }

  /// True if the tool that created the name renames all sides of a conflict, which leaves no document.
  package var leavesNoDocument: Bool {
    tools.first == .rclone || tools.first == .gitAnnex
  }

  private static func certain(_ name: String) -> ConflictedCopyName? {
    var found: ConflictedCopyName?
    // Names have 255 bytes, so there are few marks; the limit guards against invented names.
    for _ in 1...20 {
      guard let mark = CopyMark.certain(in: Array((found?.documentName ?? name).utf8)) else {
        break
      }
      found = ConflictedCopyName(name, after: found, mark)
    }
    return found
  }

  private init(_ name: String, after outer: ConflictedCopyName?, _ mark: CopyMark) {
    self.name = name
    documentName = String(decoding: mark.rest, as: UTF8.self)
    tools = (outer?.tools ?? []) + [mark.tool]
    author = outer?.author ?? mark.author
    device = outer?.device ?? mark.device
    date = outer?.date ?? mark.date
    isCertain = mark.isCertain
  }
}

extension ConflictedCopyName.Tool {
  /// Syncthing.
  package static let syncthing = Self(rawValue: "Syncthing")
  /// Nextcloud.
  package static let nextcloud = Self(rawValue: "Nextcloud")
  /// ownCloud.
  package static let ownCloud = Self(rawValue: "ownCloud")
  /// Dropbox.
  package static let dropbox = Self(rawValue: "Dropbox")
  /// Seafile.
  package static let seafile = Self(rawValue: "Seafile")
  /// Synology Drive and Cloud Station.
  package static let synology = Self(rawValue: "Synology Drive")
  /// Resilio Sync.
  package static let resilio = Self(rawValue: "Resilio Sync")
  /// Obsidian Sync.
  package static let obsidian = Self(rawValue: "Obsidian Sync")
  /// FSNotes.
  package static let fsNotes = Self(rawValue: "FSNotes")
  /// Unison.
  package static let unison = Self(rawValue: "Unison")
  /// git-annex.
  package static let gitAnnex = Self(rawValue: "git-annex")
  /// rclone bisync.
  package static let rclone = Self(rawValue: "rclone")
  /// Google Drive.
  package static let googleDrive = Self(rawValue: "Google Drive")
  /// pCloud.
  package static let pCloud = Self(rawValue: "pCloud")
  /// Box.
  package static let box = Self(rawValue: "Box")
  /// OneDrive.
  package static let oneDrive = Self(rawValue: "OneDrive")
  /// iCloud Drive.
  package static let iCloudDrive = Self(rawValue: "iCloud Drive")
  /// An editor or a merge tool.
  package static let editor = Self(rawValue: "an editor")
}
