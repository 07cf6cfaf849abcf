/// A file of the page, which is part of the program.
struct PageFile {
  let bytes: [UInt8]
  let type: String

  /// The file at a path; nil where there is none.
  init?(path: String) {
    let html = "text/html; charset=utf-8"
    let style = "text/css; charset=utf-8"
    let script = "text/javascript; charset=utf-8"
    switch path {
    case "/": (bytes, type) = (PackageResources.page_html, html)
    case "/page.css": (bytes, type) = (PackageResources.page_css, style)
    case "/views.css": (bytes, type) = (PackageResources.views_css, style)
    case "/page.js": (bytes, type) = (PackageResources.page_js, script)
    case "/server.js": (bytes, type) = (PackageResources.server_js, script)
    case "/list.js": (bytes, type) = (PackageResources.list_js, script)
    case "/editor.js": (bytes, type) = (PackageResources.editor_js, script)
    case "/history.js": (bytes, type) = (PackageResources.history_js, script)
    case "/resolver.js": (bytes, type) = (PackageResources.resolver_js, script)
    case "/difference.js": (bytes, type) = (PackageResources.difference_js, script)
    case "/elements.js": (bytes, type) = (PackageResources.elements_js, script)
    case "/preview.js": (bytes, type) = (PackageResources.preview_js, script)
    case "/icon.svg": (bytes, type) = (PackageResources.icon_svg, "image/svg+xml")
    default: return nil
    }
  }
}
