import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'

const api = 'http://localhost:3000'

/** Puts the two Latin fonts into the head, so that text is never painted twice. */
function preloadFonts(): Plugin {
  return {
    name: 'potluck:preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }): HtmlTagDescriptor[] {
        return Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head',
          }))
      },
    },
  }
}

/** Modules that nearly every page is made of. */
const PARTS = [
  'AccordionChevron',
  'Badge',
  'Card',
  'catalogue.queries',
  'catalogue.schema',
  'CheckIcon',
  'clamp',
  'create-safe-context',
  'DirectionProvider',
  'fees',
  'get-auto-contrast-value',
  'Money',
  'Paper',
  'Progress',
  'ProviderLogo',
  'queryOptions',
  'SimpleGrid',
  'Skeleton',
  'ThemeIcon',
  'use-id',
  'use-resolved-styles-api',
  'use-uncontrolled',
  'useQuery',
  'VisuallyHidden',
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // A loader knows its feature's queries, which nobody needs who is elsewhere.
      codeSplittingOptions: { defaultBehavior: [['loader', 'component']] },
      quoteStyle: 'single',
      addExtensions: true,
    }),
    react(),
    preloadFonts(),
  ],
  build: {
    outDir: 'dist',
    // Tells scripts/prerender.mjs which files the landing page is made of.
    manifest: true,
    // Every browser the build is for knows modulepreload.
    modulePreload: { polyfill: false },
    // The served policy allows fonts and scripts from files only, so nothing may become a data: address.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What decides when the app starts does not wait for the app.
            {
              name: 'first',
              test: /src[\\/]lib[\\/](arriving|built-ahead)\.ts$|preload-helper/,
              priority: 1,
            },
            // All that the app starts with is one file, so that the first page is not made of fifty.
            { name: 'start', test: /src[\\/]start\.tsx$/ },
            {
              name: 'parts',
              test: new RegExp(`[\\\\/](${PARTS.join('|')})\\.(m?js|tsx?)$`),
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '/auth/v1': api,
      '/rest/v1': api,
      '/realtime/v1': { target: api, ws: true },
      '/config.json': api,
      '/outbox': api,
      '/outbox.json': api,
    },
  },
})
