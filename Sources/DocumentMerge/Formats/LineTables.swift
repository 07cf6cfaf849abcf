/// Tables whose rows are lines of words, such as `/etc/hosts`.
extension Catalogue {
  /// Formats of such tables.
  static let lineTables: [DocumentFormat] = [
    rows(
      "hosts", ["hosts"], LineTable(" ", .eachWord(from: 1), .words([0]), hasAddresses: true)),
    rows(
      "fstab", ["fstab"], LineTable(" ", .words([1]))),
    DocumentFormat(
      "line-tables",
      [
        "crypttab", "exports", ".gitattributes", ".tool-versions", "codeowners", "sshd_config",
        "_redirects", "sshd.conf", "redis.conf",
      ],
      checks: [NamesOnce(LineTable(" ", .words([0])))]),
    rows(
      "passwd", ["passwd", "group"], LineTable(":", .words([0]), .words([2]))),
    rows(
      "shadow", ["shadow", "gshadow", "subuid", "subgid", "aliases", ".htpasswd"],
      LineTable(":", .words([0]))),
    rows(
      "services", ["services", "protocols"], LineTable(" ", .words([0]), .words([1]))),
    rows(
      "known-hosts", ["known_hosts"], LineTable(" ", .words([0, 1]))),
    rows(
      "authorized-keys", ["authorized_keys"], LineTable(" ", .key(["ssh-", "ecdsa-", "sk-"]))),
    rows(
      "pgpass", [".pgpass"], LineTable(":", .words([0, 1, 2, 3]))),
    rows(
      "mailmap", [".mailmap"], LineTable(" ", .lastWord)),
  ]
}

private func rows(_ name: String, _ files: [String], _ table: LineTable) -> DocumentFormat {
  DocumentFormat(name, files, checks: [NamesOnce(table)])
}
