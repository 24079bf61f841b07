// Prerenders what each page of the app shows before its scripts have loaded: the app itself, rendered without any data.
import { MantineProvider } from '@mantine/core'
import { onlineManager } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { planName } from '#domain/plan-name.ts'
import { language, languagePrefix } from '#lib/language.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { assumeVisitor, standIn } from '#lib/session.ts'
import { createAppRouter } from '#router.ts'
import { PageLoading } from '#ui/Skeletons.tsx'
import { cssVariablesResolver, theme } from '#ui/theme.ts'
import catalogue from '../../supabase/provider-catalogue.json' with { type: 'json' }
import { headSentences, pageWords } from '../landing/words.ts'
import { forAnySite } from './any-site.ts'
import { renderLanding } from './draw-landing.tsx'
import { nameOf, renderApp, requirePage } from './draw-page.tsx'
import { asFirstSight, STYLE } from './first-sight-markup.ts'
import { firstSights, type Reader } from './pages.ts'

/**
 * Prerenders all pages in the language of this thread. The pages of the app are rendered for a visitor and for a
 * member, one page at a time, because the app has only one session.
 */
export async function drawPages() {
  const readers: Reader[] = ['visitor', 'member']
  const frames = new Map<Reader, string>()
  for (const reader of readers) frames.set(reader, await renderFrame(reader))
  const pages = []
  for (const [fileName, sight] of Object.entries(firstSights)) {
    let markup = ''
    for (const reader of readers) {
      const shown = sight?.readers.includes(reader)
        ? await renderFirstSight(reader, sight.address)
        : frames.get(reader)
      const isDrawn = sight?.withData && reader === 'visitor'
      markup += `<div data-first-sight="${reader}">${isDrawn ? `<!--draw-->${shown}<!--/draw-->` : shown}</div>`
    }
    pages.push({
      fileName,
      markup,
      route: sight?.route,
      isPublic: sight?.readers.includes('visitor') ?? false,
    })
  }
  const landing = await renderLanding()
  requirePage(landing.markup, nameOf('/', 'visitor'))
  return {
    language,
    styles: renderStyles(),
    pages,
    landing,
    words: pageWords(),
    sentences: { ...headSentences(), ...planNames() },
  }
}

/** How this language says the names that the catalogue has completed in brackets, as sentences of a head. */
const planNames = (): Record<string, string> =>
  Object.fromEntries(
    (catalogue as { plans: { name: string }[] }[])
      .flatMap(({ plans }) => plans)
      .flatMap(({ name }) => / \([^()]+\)$/.exec(name) ?? [])
      .map((added) => [`(.+)${added.replaceAll(/[()]/g, '\\$&')}`, planName(`$1${added}`)]),
  )

const MAIN = /(<main [^>]*>)[\s\S]*(<\/main>)/

/** Returns the markup of the page at a path, for one kind of reader. */
async function renderFirstSight(reader: Reader, address: string): Promise<string> {
  forAnySite()
  // Without a connection, queries stay pending, so the page is rendered without data.
  onlineManager.setOnline(false)
  if (reader === 'visitor') assumeVisitor()
  else standIn(somebody)
  const queryClient = createQueryClient()
  const history = createMemoryHistory({ initialEntries: [languagePrefix + address] })
  const router = createAppRouter(queryClient, { history })
  return asFirstSight(await renderApp({ queryClient, router, reader, address }))
}

/** Returns the markup for all paths that are not prerendered: the bars around a loading indicator. */
async function renderFrame(reader: Reader): Promise<string> {
  const about = await renderFirstSight(reader, '/about')
  if (!MAIN.test(about)) throw new Error('The frame of the app has no main part')
  const loading = inTheme(<PageLoading />).replace(STYLE, '')
  return about.replace(MAIN, (_all, start, end) => start + loading + end)
}

/** The variables of the theme, which all pages share. */
const renderStyles = () => inTheme().match(STYLE)?.join('') ?? ''

const inTheme = (part?: ReactNode) =>
  renderToString(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver}>
      {part}
    </MantineProvider>,
  )

/** A signed-in person without details: the build does not know who will read the page. */
const somebody: Parameters<typeof standIn>[0] = {
  access_token: '',
  refresh_token: '',
  token_type: 'bearer',
  expires_in: 0,
  user: { id: '', email: '…', app_metadata: {}, user_metadata: {}, aud: '', created_at: '' },
}
