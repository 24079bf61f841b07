// The script that loads the catalogue into a database, one provider per line.

/** `json` is the text of provider-catalogue.json. */
export function renderCatalogue(json: string): string {
  const providers: unknown[] = JSON.parse(json)
  const lines = providers.map((provider) => JSON.stringify(provider)).join(',\n')
  return `-- The catalogue that ships, from provider-catalogue.json by \`npm run types\`. It runs at every start of the server.
select private.load_catalogue('[
${lines.replaceAll("'", "''")}
]');
`
}
