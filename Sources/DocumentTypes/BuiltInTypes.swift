/// The common types, as Apple's systems name them.
enum BuiltInTypes {
  /// The types, by identifier and by extension.
  static let table = TypeTable(
    lines.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.split(separator: " ").map(String.init) }
      guard fields.count == 5, let identifier = fields[0].first else { return nil }
      return DocumentType(
        identifier, name: fields[1].joined(separator: " "), filenameExtensions: fields[2],
        conformsTo: fields[3], mimeTypes: fields[4])
    })

  /// Identifier, name, extensions, conformance, and MIME types.
  private static let lines = """
    public.item | item | | |
    public.content | content | | |
    public.data | data | | public.item | application/octet-stream
    public.directory | directory | | public.item | inode/directory
    public.folder | folder | | public.directory |
    com.apple.package | package | | public.directory |
    com.apple.bundle | bundle | | public.directory |
    com.apple.generic-bundle | bundle | bundle | com.apple.bundle com.apple.package |
    com.apple.application-bundle | application | app | com.apple.bundle com.apple.package |
    public.composite-content | document | | public.content |
    public.archive | archive | | |
    public.text | text | | public.data public.content |
    public.plain-text | plain text | txt text log | public.text | text/plain
    net.daringfireball.markdown | Markdown text | md markdown mdown | public.plain-text | text/markdown
    org.textbundle.package | text bundle | textbundle | com.apple.package public.composite-content |
    public.restructured-text | reStructuredText | rst | public.plain-text | text/x-rst
    org.orgmode.org | Org text | org | public.plain-text | text/x-org
    org.tug.tex | TeX source | tex | public.plain-text | text/x-tex
    public.rtf | rich text | rtf | public.text | application/rtf
    com.apple.rtfd | rich text with attachments | rtfd | com.apple.package public.composite-content |
    public.html | HTML text | html htm | public.text | text/html
    public.css | style sheet | css | public.text | text/css
    public.xml | XML text | xml | public.text | application/xml
    public.svg-image | SVG image | svg | public.image public.xml | image/svg+xml
    public.json | JSON | json | public.text | application/json
    public.yaml | YAML | yaml yml | public.text | application/yaml
    public.toml | TOML | toml | public.text | application/toml
    com.apple.property-list | property list | plist | public.data | application/x-plist
    com.apple.xcode.strings-text | strings | strings | public.text |
    public.configuration-text | configuration | cfg conf ini | public.plain-text |
    public.delimited-values-text | delimited values | | public.text |
    public.comma-separated-values-text | comma-separated values | csv | \
    public.delimited-values-text | text/csv
    public.tab-separated-values-text | tab-separated values | tsv | \
    public.delimited-values-text | text/tab-separated-values
    org.jupyter.notebook | Jupyter notebook | ipynb | public.json | application/x-ipynb+json
    public.source-code | source code | | public.plain-text |
    public.script | script | | public.source-code |
    public.c-source | C source | c | public.source-code | text/x-csrc
    public.c-header | C header | h | public.source-code | text/x-chdr
    public.c-plus-plus-source | C++ source | cpp cc cxx | public.source-code | text/x-c++src
    public.swift-source | Swift source | swift | public.source-code | text/x-swift
    public.go-source | Go source | go | public.source-code | text/x-go
    public.rust-source | Rust source | rs | public.source-code | text/rust
    com.sun.java-source | Java source | java | public.source-code | text/x-java
    com.netscape.javascript-source | JavaScript | js | public.script | text/javascript
    com.microsoft.typescript | TypeScript | ts | public.script | text/x-typescript
    public.python-script | Python script | py | public.script | text/x-python
    public.ruby-script | Ruby script | rb | public.script | application/x-ruby
    public.shell-script | shell script | sh | public.script | application/x-shellscript
    public.image | image | | public.data public.content |
    public.jpeg | JPEG image | jpg jpeg jpe | public.image | image/jpeg
    public.png | PNG image | png | public.image | image/png
    com.compuserve.gif | GIF image | gif | public.image | image/gif
    public.tiff | TIFF image | tiff tif | public.image | image/tiff
    com.microsoft.bmp | bitmap image | bmp | public.image | image/bmp
    public.heic | HEIC image | heic | public.image | image/heic
    org.webmproject.webp | WebP image | webp | public.image | image/webp
    public.audiovisual-content | audiovisual content | | public.data public.content |
    public.movie | movie | | public.audiovisual-content |
    public.mpeg-4 | MPEG-4 movie | mp4 | public.movie | video/mp4
    com.apple.quicktime-movie | QuickTime movie | mov | public.movie | video/quicktime
    public.audio | audio | | public.audiovisual-content |
    public.mp3 | MP3 audio | mp3 | public.audio | audio/mpeg
    com.apple.m4a-audio | MPEG-4 audio | m4a | public.audio | audio/mp4
    com.microsoft.waveform-audio | WAVE audio | wav wave | public.audio | audio/x-wav
    com.adobe.pdf | PDF document | pdf | public.data public.composite-content | application/pdf
    org.idpf.epub-container | EPUB book | epub | public.data public.composite-content | \
    application/epub+zip
    com.apple.iwork.pages.pages | Pages document | pages | \
    com.apple.package public.composite-content |
    com.apple.iwork.numbers.numbers | Numbers document | numbers | \
    com.apple.package public.composite-content |
    com.apple.iwork.keynote.key | Keynote document | key | \
    com.apple.package public.composite-content |
    org.openxmlformats.openxml | Office Open XML document | | public.data |
    org.openxmlformats.wordprocessingml.document | Word document | docx | \
    org.openxmlformats.openxml public.composite-content | \
    application/vnd.openxmlformats-officedocument.wordprocessingml.document
    org.openxmlformats.spreadsheetml.sheet | Excel workbook | xlsx | \
    org.openxmlformats.openxml public.composite-content | \
    application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
    org.openxmlformats.presentationml.presentation | PowerPoint presentation | pptx | \
    org.openxmlformats.openxml public.composite-content | \
    application/vnd.openxmlformats-officedocument.presentationml.presentation
    com.microsoft.word.doc | Word 97 document | doc | public.data public.composite-content | \
    application/msword
    com.microsoft.excel.xls | Excel 97 workbook | xls | public.data public.composite-content | \
    application/vnd.ms-excel
    com.microsoft.powerpoint.ppt | PowerPoint 97 presentation | ppt | \
    public.data public.composite-content | application/vnd.ms-powerpoint
    org.oasis-open.opendocument.text | OpenDocument text | odt | \
    public.data public.composite-content | application/vnd.oasis.opendocument.text
    org.oasis-open.opendocument.spreadsheet | OpenDocument spreadsheet | ods | \
    public.data public.composite-content | application/vnd.oasis.opendocument.spreadsheet
    org.oasis-open.opendocument.presentation | OpenDocument presentation | odp | \
    public.data public.composite-content | application/vnd.oasis.opendocument.presentation
    org.sqlite.database | SQLite database | sqlite | public.data | application/vnd.sqlite3
    public.zip-archive | ZIP archive | zip | public.data public.archive | application/zip
    org.gnu.gnu-zip-archive | gzip archive | gz | public.data public.archive | application/gzip
    public.tar-archive | tar archive | tar | public.data public.archive | application/x-tar
    org.gnu.gnu-zip-tar-archive | gzip compressed tar archive | tgz tar.gz | \
    org.gnu.gnu-zip-archive | application/x-compressed-tar
    """
}
