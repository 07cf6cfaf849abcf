/// Markup with other contents, which no engine reads.
extension DocumentFormat {
  static let template = DocumentFormat(
    "template",
    [
      "*.jsp", "*.jspx", "*.erb", "*.hbs", "*.handlebars", "*.mustache", "*.cshtml", "*.razor",
      "*.aspx", "*.ascx", "*.twig", "*.ejs", "*.liquid", "*.astro", "*.jsx", "*.tsx", "*.php",
      "*.phtml", "*.gohtml", "*.njk", "*.marko", "*.ftlh", "*.tmpl",
    ], checks: [BrokenMarkup()])

  /// Components of markup and scripts.
  static let component = DocumentFormat(
    "component", ["*.vue", "*.svelte"],
    checks: [LostNames(MarkupPropertyNames(), MarkupNames()), BrokenMarkup()])
}
