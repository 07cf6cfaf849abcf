extension IgnoreRules {
  /// The purpose of the rules.
  package enum Purpose: Sendable {
    /// Members of packages.
    ///
    /// These rules only cover items that programs write under names that no document would choose, because
    /// any other item may be part of the document.
    case members
    /// Files that may become documents.
    case documents
  }

  /// Returns whether a name belongs to a backup, a lock file, a temporary file or a placeholder.
  package static func isPutAside(_ name: [UInt8]) -> Bool {
    StandardIgnoreRules.putAside.rule(for: [name], isFolder: false) != nil
  }
}

/// The rules that apply unless a list differs.
///
/// All names that editors, systems and sync tools give to their own files are defined here.
enum StandardIgnoreRules {
  static func lists(for purpose: IgnoreRules.Purpose) -> [IgnoreRules.List] {
    switch purpose {
    case .members: [ownFiles]
    case .documents: [backups, ownFiles, notDocuments]
    }
  }

  static let putAside = IgnoreRules(standard: [backups, ownFiles])

  /// Files that programs write for their own use, beside a document or in it.
  private static let ownFiles = list(
    ##"""
    # Emacs: locks, autosaved files. gedit, Kate, Emacs: backups.
    .#*
    \#*#
    *~
    # Vim and Kate: swap files.
    .*.sw[a-p]
    .sw[a-p]
    *.kate-swp
    # LibreOffice, Microsoft Office: locks.
    .~lock.*#
    ~$*
    # KiCad, Krita: locks, autosaved files.
    ~*.lck
    _autosave-*
    .*-autosave.kra
    # JetBrains, GNOME, macOS: files that are just being replaced.
    *___jb_old___
    *___jb_tmp___
    .goutputstream-*
    *.sb-????????-??????
    # macOS, Windows, KDE: how a folder is shown.
    .DS_Store
    ._*
    .AppleDouble/
    .localized
    Icon[\##r]
    photothumb.db
    Thumbs.db
    ehthumbs.db
    desktop.ini
    .directory
    # NFS, FUSE: deleted while a program has it open.
    .nfs[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]*
    .fuse_hidden*
    # Syncthing, Resilio Sync, WinSCP, rclone, Unison, FreeFileSync: files that are just arriving, lists.
    .syncthing.*.tmp
    ~syncthing~*.tmp
    *.!sync
    *.filepart
    *.[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f].partial
    .unison.*.unison.tmp
    *.ffs_tmp
    *.ffs_db
    *.ffs_lock
    # Word, GnuCash, Chrome: files of a save in progress.
    ~wr[a-z][0-9][0-9][0-9][0-9].tmp
    *.gnucash.tmp-*
    *.crswap
    # iCloud, Nextcloud, ownCloud: not downloaded; lists of their own.
    .*.icloud
    *.nextcloud
    *.owncloud
    .sync_*.db*
    ._sync_*.db*
    .nextcloudsync.log
    .owncloudsync.log
    """##)

  /// Copies that programs keep under a document's name, and files that they write before they replace it.
  private static let backups = list(
    """
    *.bak
    *.backup
    *.bkp
    *.old
    *.orig
    *.save
    *.tmp
    *.temp
    *.part
    *.partial
    *.crdownload
    *.opdownload
    *.download
    *.aria2
    *.lock
    *.lck
    *.wbk
    *.xlk
    *.autosave
    *.asv
    *.rej
    *.icloud
    *.sw[a-p]
    # Word, CorelDRAW.
    Backup of *
    *(autosaved)*
    # Of a save that goes on.
    .~*
    *.sb-*
    *___jb_*
    *.fuse_hidden*
    """, takesNumbers: true)

  /// Files that people don't write.
  private static let notDocuments = list(
    """
    .*
    # What is ignored is ignored on every device.
    !.docversionsignore
    node_modules/
    bower_components/
    __pycache__/
    *.egg-info/
    DerivedData/
    CMakeFiles/
    lost+found/
    $RECYCLE.BIN/
    System Volume Information/
    """)

  private static func list(_ text: String, takesNumbers: Bool = false) -> IgnoreRules.List {
    // The systems that use these names ignore case, and so do portable disks.
    IgnoreRules.List(
      IgnoreRules.patterns(in: Array(text.utf8), foldsCase: true), takesNumbers: takesNumbers)
  }
}
