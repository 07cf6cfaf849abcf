/// The decisions about the notebook itself: its format, and the program that ran it.
extension NotebookMerge {
  /// Rules that the later revision is taken in case of doubt, and ours' description of the program that ran
  /// the cells.
  mutating func ruleAboutProgram() {
    ruleAboutRevision()
    let fields = sides.map { $0.members(of: "metadata") }
    ruleAboutKernel(
      fields.base?["kernelspec"], fields.ours["kernelspec"], fields.theirs["kernelspec"])
    let names: [FieldName] = [
      "language_info", "widgets", "varInspector", "vscode", "interpreter", "papermill", "colab",
    ]
    for name in names {
      let nodes = (base: fields.base?[name], ours: fields.ours[name], theirs: fields.theirs[name])
      guard let one = nodes.ours ?? nodes.theirs,
        values(nodes.base, nodes.ours, nodes.theirs).settled == nil,
        !isOtherLanguage(nodes.ours, nodes.theirs)
      else { continue }
      let ruling = MergeRulings.Ruling.taken(
        .ours,
        "Both sides changed “\(name)”, which names what ran the notebook; that of \(options.labels.ours) was kept."
      )
      if nodes.ours == nil { result.theirs[one] = ruling } else { result.ours[one] = ruling }
    }
  }

  /// Takes the later revision if both sides changed it, or if only that revision has cell ids.
  private mutating func ruleAboutRevision() {
    let (ours, theirs) = (sides.ours, sides.theirs)
    let (one, other) = (ours.fields["nbformat_minor"], theirs.fields["nbformat_minor"])
    guard let one, other != nil, ours.revision != theirs.revision else { return }
    let haveIds = [ours, theirs].map { Notebook.needsIds(revision: $0.revision) }
    guard
      haveIds[0] != haveIds[1]
        || values(sides.base?.fields["nbformat_minor"], one, other).settled == nil
    else { return }
    result.ours[one] = .taken(
      ours.revision > theirs.revision ? .ours : .theirs,
      "The later revision of the format was taken.")
  }

  /// Asks about the whole kernel if both sides changed it, because its parts belong together.
  ///
  /// Additions of one side are combined with changes of the other. Kernels with one name are the same kernel;
  /// the displayed name only comes from the environment that opened the notebook last.
  private mutating func ruleAboutKernel(_ base: Int?, _ ours: Int?, _ theirs: Int?) {
    guard let ours, let theirs, values(base, ours, theirs).settled == nil else { return }
    func said(_ notebook: Notebook, _ node: Int) -> [FieldName: Int] {
      notebook.tree.fields(of: node, format).mapValues { notebook.tree[$0].valueHash }
    }
    var old: [FieldName: Int] =
      sides.base.flatMap { notebook in base.map { said(notebook, $0) } } ?? [:]
    var (one, other) = (said(sides.ours, ours), said(sides.theirs, theirs))
    if let name = one["name"], name == other["name"] {
      let title: FieldName = "display_name"
      let titles = MergeSides(base: old[title], ours: one[title], theirs: other[title])
      if titles.settled == nil, let node = sides.ours.tree.fields(of: ours, format)[title] {
        result.ours[node] = .taken(
          .ours,
          "Both sides renamed the kernel; the name of \(options.labels.ours) was kept.")
      }
      (old[title], one[title], other[title]) = (nil, nil, nil)
    }
    func hasChanged(_ new: [FieldName: Int], _ other: [FieldName: Int]) -> Bool {
      old.contains { (name, value) -> Bool in
        let said: Int? = new[name]
        return said != value && said != other[name]
      }
    }
    let areClashing = one.contains { name, value in
      let values = MergeSides<Int?>(base: .some(old[name]), ours: value, theirs: other[name])
      return values.settled == nil
    }
    guard hasChanged(one, other) && hasChanged(other, one) || areClashing else { return }
    result.ours[ours] = .asked(
      "Both sides changed the kernel that runs the notebook, differently; its parts belong together."
    )
  }

  /// Returns whether two descriptions of a program name different languages.
  private func isOtherLanguage(_ ours: Int?, _ theirs: Int?) -> Bool {
    guard let ours, let theirs else { return false }
    let fields: [FieldName] = ["language", "name"]
    return fields.contains { field in
      guard let one = sides.ours.text(field, of: ours),
        let other = sides.theirs.text(field, of: theirs)
      else { return false }
      // The name of a kernel may be anything, but the name of a language identifies the language.
      let isLanguage = field == "language" || sides.ours.text("file_extension", of: ours) != nil
      return isLanguage && one != other
    }
  }
}
