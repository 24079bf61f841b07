import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunks } from './build/chunks.ts'
import { firstSightPlugin } from './build/first-sights.ts'
import { pages, preloadFonts } from './build/html.ts'
import { messages } from './build/language/plugin.ts'
import { serviceWorker } from './build/service-worker.ts'
import { sharePictures } from './build/share-pictures.ts'
import { usedStyles } from './build/used-styles.ts'
import routes from './tsr.config.json' with { type: 'json' }

const api = 'http://localhost:3000'

const router = () =>
  tanstackRouter({
    // The plugin would look for this file in the current folder of the build, so its settings are imported.
    ...routes,
    // A loader is a file of its own, so that it can request its data while the component's file still loads.
    codeSplittingOptions: { defaultBehavior: [['loader'], ['component']] },
  })

/** Leaves out the client of Supabase's file storage, which the app does not use: a tenth of the backend's client. */
const withoutStorage: Plugin = {
  name: 'potluck:without-storage',
  enforce: 'pre',
  apply: 'build',
  resolveId: { filter: { id: /^@supabase\/storage-js$/ }, handler: () => '\0without-storage' },
  load: {
    filter: { id: /^\0without-storage$/ },
    handler: () => 'export class StorageClient {}\nexport class StorageApiError extends Error {}',
  },
}

/** The plugins that compile our sources, for each of the two builds. */
const sources = () => [messages(), router(), react(), withoutStorage]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    sources(),
    chunks(sources),
    usedStyles(),
    pages(),
    preloadFonts(),
    firstSightPlugin(),
    serviceWorker(),
    sharePictures(),
  ],
  build: {
    outDir: 'dist',
    // All supported browsers have modulepreload.
    modulePreload: { polyfill: false },
    // The content security policy allows fonts and scripts only from files, so none may become a data: URL.
    assetsInlineLimit: 0,
    // In kB; e2e/landing.test.ts limits what a page loads.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: ['index.html', 'app.html'],
      checks: { bundlerTimings: false },
      // Reads only the used ones of a package's thousands of icons.
      experimental: { lazyBarrel: true },
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
