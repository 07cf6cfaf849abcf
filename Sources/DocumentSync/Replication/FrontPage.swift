package import DocumentGit

/// The page that a stock clone of a repository checks out, which says where the documents are.
///
/// The documents of each device are on a separate branch, and `HEAD` names none of these. The page has the
/// same bytes from every device and never changes, so no device overwrites the page of another.
package enum FrontPage {
  /// The branches that `HEAD` of a new repository may name, according to git’s settings.
  package static let branches = ["refs/heads/master", "refs/heads/main"]

  /// The commit of the page.
  package static var commit: ObjectID { objects[2].id }

  /// The page, its folder, and its commit.
  package static let objects: [GitObject] = {
    let page = GitObject(.blob, Array(text.utf8))
    let tree = Tree([Tree.Entry(mode: .file, name: Array("README.md".utf8), id: page.id)]).encoded()
    // The day on which the page was written.
    let signature = Commit.Signature(name: "docversions", seconds: 1_795_824_000)
    let commit = Commit(
      tree: tree.id, parents: [], author: signature, committer: signature,
      message: "Say where the documents are\n")
    return [page, tree, commit.encoded()]
  }()

  private static let text = """
    # Documents, kept by docversions

    This repository holds the versions of documents. Each device has a branch of its own with its documents under their
    names:

        git branch --remotes --list '*/docversions/*'
        git checkout docversions/DEVICE

    To work with the documents, and to bring changes back here, use docversions:

        docversions clone ADDRESS FOLDER

    Leave the branches and references of docversions as they are: only the device that made one writes it.

    """
}
