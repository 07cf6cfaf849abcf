extension VersionStore {
  public typealias SaveOutcome = DocumentStore.SaveOutcome
  public typealias RestoreOutcome = DocumentStore.RestoreOutcome
  public typealias CollectOutcome = DocumentStore.CollectOutcome
  public typealias TypeDeclarations = DocumentStore.TypeDeclarations
  public typealias RepairOptions = DocumentStore.RepairOptions
}
