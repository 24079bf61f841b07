// Renders the files that derive from provider-catalogue.json: the script that loads the catalogue into a database, and
// the marks of its providers for the web app.
import catalogue from '../provider-catalogue.json' with { type: 'json' }

/** Returns the domain of a provider, by which the logo service knows the provider. */
const domainOf = (website: string) => new URL(website).hostname.replace(/^www\./, '')

/** Returns the script that loads the catalogue into a database, with one provider on each line. */
export function renderCatalogue(): string {
  const providers = catalogue.map(({ mark, markPart, ...provider }) => {
    const domain = domainOf(provider.website)
    return JSON.stringify({ ...provider, domain, logo: `https://img.logo.dev/${domain}` })
  })
  return `-- The catalogue that ships, from provider-catalogue.json by \`npm run types\`. It runs at every start of the server.
select private.load_catalogue('[
${providers.join(',\n').replaceAll("'", "''")}
]');
`
}

/** Returns the module of all brands. Each brand is a short tuple, because every page loads the module. */
export function renderProviderMarks(): string {
  const text = (value: string) => `'${value}'`
  const brands = catalogue.map(({ name, brandColor, website, mark, markPart }) => {
    const parts = [text(brandColor), text(domainOf(website)), ...(mark ? [text(mark)] : [])]
    const key = /^[A-Za-z]+$/.test(name) ? name : text(name)
    return `  ${key}: [${[...parts, ...(markPart ? [markPart] : [])].join(', ')}],`
  })
  return `// Written by \`npm run types\` from supabase/provider-catalogue.json.

/** The brands of the bundled catalogue by provider name, which is all that a plan row holds. (R11) */
export const BRANDS: Readonly<
  Record<string, readonly [color: string, domain: string, mark?: string, part?: number]>
> = {
${brands.join('\n')}
}
`
}
