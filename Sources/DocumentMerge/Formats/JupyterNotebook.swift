/// Jupyter notebooks.
extension DocumentFormat {
  static let notebook = DocumentFormat(
    "notebook", ["*.ipynb"], identifiers: ["org.jupyter.notebook"], kind: .notebook,
    engine: structure(NotebookFormat()), isReadByLines: false)
}
