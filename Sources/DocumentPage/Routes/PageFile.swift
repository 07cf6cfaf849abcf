/// A file of the page, which is part of the program.
struct PageFile {
  let bytes: [UInt8]
  let type: String

  private static let scripts: [String: [UInt8]] = [
    "page": PackageResources.page_js, "server": PackageResources.server_js,
    "elements": PackageResources.elements_js, "storage": PackageResources.storage_js,
    "list": PackageResources.list_js, "actions": PackageResources.actions_js,
    "editor": PackageResources.editor_js, "text": PackageResources.text_js,
    "preview": PackageResources.preview_js, "history": PackageResources.history_js,
    "comparison": PackageResources.comparison_js, "lines": PackageResources.lines_js,
    "notebooks": PackageResources.notebooks_js, "difference": PackageResources.difference_js,
    "images": PackageResources.images_js,
    "tables": PackageResources.tables_js, "values": PackageResources.values_js,
    "resolver": PackageResources.resolver_js, "decided": PackageResources.decided_js,
    "places": PackageResources.places_js,
  ]

  /// Creates the file at a path; nil if there is none.
  init?(path: String) {
    switch path {
    case "/": (bytes, type) = (PackageResources.page_html, "text/html; charset=utf-8")
    case "/page.css": (bytes, type) = (PackageResources.page_css, "text/css; charset=utf-8")
    case "/views.css": (bytes, type) = (PackageResources.views_css, "text/css; charset=utf-8")
    case "/icon.svg": (bytes, type) = (PackageResources.icon_svg, "image/svg+xml")
    default:
      guard path.hasPrefix("/"), path.hasSuffix(".js"),
        let script = Self.scripts[String(path.dropFirst().dropLast(3))]
      else { return nil }
      (bytes, type) = (script, "text/javascript; charset=utf-8")
    }
  }
}
