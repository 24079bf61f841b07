// Titles and descriptions of a project's pages for clients that run no JavaScript, such as search engines and the link
// previews of chat apps. They come from optional functions in schema public, called with a visitor's rights:
// page_head(p_path text) returns the fields below as jsonb, or null to send the page unchanged; site_paths() returns
// the paths for the sitemap; site_config(p_host text) returns texts for all pages as jsonb. See docs/data-api.md.

import type { Logger } from 'pino'
import { asCaller } from '#db/as-caller.ts'
import type { Database, Row } from '#db/database.ts'
import { escapeHtml } from '#mail/templates.ts'

export interface PageHead {
  title: string
  description: string
  /** The page's heading, if it differs from the title. */
  heading?: string
  /** The HTTP status to use instead of 200. Search engines are then told not to index the page. */
  status?: number
  /** The preview picture. The page keeps its own if the site has no such file. */
  image?: { path: string; alt: string } | null
}

export interface PageHeads {
  /** The head for a path like "/plans/1"; null if the project has none. */
  of(path: string): Promise<PageHead | null>
  /** All paths for search engines, or null if the project does not list them. */
  paths(): Promise<string[] | null>
  /** The texts of the project that are filled into every page and added to /config.json, by their names. */
  texts(): Record<string, string>
}

const VISITOR = { role: 'anon', claims: '{"role":"anon"}' }

/** The least time between two questions for the texts, in ms. */
const TEXTS_MS = 1000

/**
 * Reads the project's page heads from the database. While the database does not respond, all heads are null. The texts
 * are those last read, so that no page waits for the database. `host` is the host of the site's URL.
 */
export async function readPageHeads(db: Database, log: Logger, host: string): Promise<PageHeads> {
  const [has] = await db.query<{ head: boolean; paths: boolean; texts: boolean }>(
    `select to_regprocedure('public.page_head(text)') is not null as head,
      to_regprocedure('public.site_paths()') is not null as paths,
      to_regprocedure('public.site_config(text)') is not null as texts`,
  )
  const ask = async (text: string, values: string[] = []): Promise<Row[] | undefined> =>
    (await asCaller(db, VISITOR, [{ text, values }]))[0]
  const failed = (error: unknown) => {
    log.error({ err: error }, 'What the project says of its pages cannot be read')
    return undefined
  }
  let texts: Record<string, string> = {}
  let askedAt = 0
  const readTexts = async () => {
    askedAt = performance.now()
    const [row] = (await ask('select public.site_config($1) as texts', [host]).catch(failed)) ?? []
    if (row) texts = row.texts as Record<string, string>
  }
  if (has?.texts) await readTexts()
  return {
    of: async (path) => {
      if (!has?.head) return null
      const [row] = (await ask('select public.page_head($1) as head', [path]).catch(failed)) ?? []
      return (row?.head as PageHead | null | undefined) ?? null
    },
    paths: async () => {
      if (!has?.paths) return null
      const rows = await ask('select path from public.site_paths() as path').catch(failed)
      return rows?.map(({ path }) => String(path)) ?? null
    },
    texts: () => {
      if (has?.texts && performance.now() > askedAt + TEXTS_MS) void readTexts()
      return texts
    },
  }
}

/**
 * Fills `head` into the page: into its head element, its link preview, and its elements with data-head="heading" or
 * "description".
 */
export function withHead(page: string, head: PageHead, site: { url: string; path: string }): string {
  const inWords = translationOf(page)
  const [title, description] = [head.title, head.description].map(inWords) as [string, string]
  const { status, image } = head
  const heading = head.heading === undefined ? title : inWords(head.heading)
  const said: Record<string, string> = {
    description,
    'og:title': title,
    'og:description': description,
    'og:url': site.url + site.path,
    ...(image && {
      'og:image': site.url + image.path,
      'og:image:alt': inWords(image.alt),
      'twitter:image': site.url + image.path,
      'twitter:image:alt': inWords(image.alt),
    }),
  }
  const named = Object.entries(said).reduce(
    (html, [name, text]) =>
      html.replace(
        new RegExp(`(<meta (?:name|property)="${name}" content=")[^"]*(")`),
        (_tag, before: string, after: string) => `${before}${escapeHtml(text)}${after}`,
      ),
    page
      // A file that serves many paths links to the same page in other languages with [id], which is replaced here.
      .replace(
        /(<link rel="alternate" [^>]*\/)\[id\]"/g,
        (_link, before: string) => `${before}${escapeHtml(site.path.replace(/.*\//, ''))}"`,
      )
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
      .replace(
        /(<[a-z][^>]* data-head="(heading|description)"[^>]*>)[^<]*/g,
        (_place, before: string, name: string) =>
          before + escapeHtml(name === 'heading' ? heading : description),
      ),
  )
  return status === undefined
    ? named
    : named.replace('</title>', () => '</title><meta name="robots" content="noindex" />')
}

/**
 * Returns a function that translates the sentences of a head, and the values in them. A page in another language has a
 * template for them: {"Shared by (.+)": "Geteilt von $1"}.
 */
function translationOf(page: string): (sentence: string) => string {
  const [, given = '{}'] = /<template data-sentences>([^<]*)<\/template>/.exec(page) ?? []
  const sentences = Object.entries(JSON.parse(given) as Record<string, string>)
  const translate = (sentence: string): string => {
    for (const [english, words] of sentences) {
      const [found, ...values] = new RegExp(`^${english}$`).exec(sentence) ?? []
      if (found)
        return words.replace(/\$(\d)/g, (_value, at: string) => translate(values[Number(at) - 1] ?? ''))
    }
    return sentence
  }
  return translate
}

/** Writes a sitemap of at most 50,000 URLs (https://www.sitemaps.org/protocol.html). */
export const sitemap = (paths: readonly string[], siteUrl: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths
  .slice(0, 50_000)
  .map((path) => `<url><loc>${escapeHtml(siteUrl + path)}</loc></url>`)
  .join('\n')}
</urlset>
`
