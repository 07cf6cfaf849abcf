/// Markup with something else in it, which no engine reads.
extension DocumentFormat {
  static let template = DocumentFormat(
    "template",
    [
      "*.jsp", "*.jspx", "*.erb", "*.hbs", "*.handlebars", "*.mustache", "*.cshtml", "*.razor",
      "*.aspx", "*.ascx", "*.twig", "*.ejs", "*.liquid", "*.astro", "*.jsx", "*.tsx", "*.php",
      "*.phtml", "*.gohtml", "*.njk", "*.marko", "*.ftlh", "*.tmpl",
    ], checks: [BrokenMarkup()])

  /// Components with markup and programs.
  static let component = DocumentFormat(
    "component", ["*.vue", "*.svelte"],
    checks: [LostNames(MarkupPropertyNames(), MarkupNames()), BrokenMarkup()])
}
