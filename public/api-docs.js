// Starts Swagger UI on the API's own document. A file of its own, since the policy allows no inline script.
const docs = document.getElementById('docs')
window.SwaggerUIBundle({ url: docs.dataset.document, domNode: docs, deepLinking: true, filter: true, validatorUrl: null, tryItOutEnabled: false })
