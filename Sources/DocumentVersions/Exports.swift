// The one import: everything public below.
@_exported public import DocumentConflicts
@_exported public import DocumentContainers
@_exported public import DocumentCoordination
@_exported public import DocumentFiles
@_exported public import DocumentLifecycle
@_exported public import DocumentMerge
@_exported public import DocumentPresenting
@_exported public import DocumentStore
@_exported public import DocumentSync
@_exported public import DocumentTransport
@_exported public import DocumentTypes
