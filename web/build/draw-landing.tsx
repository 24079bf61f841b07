// Renders the landing page for the build: its markup, and the theme's CSS variables that its styles use.

import { DEFAULT_THEME, deepMerge, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { renderToStaticMarkup } from 'react-dom/server'
import { fullDay } from '#domain/dates.ts'
import { bundledCatalogue } from '#features/plans/catalogue/load-catalogue.ts'
import { cssVariablesResolver, theme } from '#ui/theme.ts'
import { Page } from '../landing/Page.tsx'
import { forAnySite } from './any-site.ts'

export async function renderLanding(): Promise<{ markup: string; variables: string }> {
  forAnySite()
  const markup = renderToStaticMarkup(
    <Page
      providers={await bundledCatalogue()}
      feeRate={LIMITS.firstFeeRate}
      asOf={fullDay(new Date().toISOString())}
    />,
  )
  return { markup, variables: themeVariables() }
}

/** Variables of Mantine's colours that the product does not use. */
const FOREIGN = /^--mantine-color-(red|pink|grape|violet|indigo|blue|cyan|green|lime|yellow|orange|teal)-/

function themeVariables(): string {
  const full = mergeMantineTheme(DEFAULT_THEME, theme)
  const { variables, light, dark } = deepMerge(
    defaultCssVariablesResolver(full),
    cssVariablesResolver(full),
  ) as ReturnType<typeof cssVariablesResolver>
  const write = (selector: string, values: Record<string, string>) =>
    `${selector}{${Object.entries(values)
      .filter(([name]) => !FOREIGN.test(name))
      .map(([name, value]) => `${name}:${value};`)
      .join('')}}`
  return [
    write(':root', variables),
    write(':root,[data-mantine-color-scheme="light"]', light),
    write('[data-mantine-color-scheme="dark"]', dark),
    `@media (prefers-color-scheme:dark){${write(':root:not([data-mantine-color-scheme])', dark)}}`,
  ].join('')
}
