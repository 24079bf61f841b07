import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunks } from './build/chunks.ts'
import { firstSightPlugin } from './build/first-sights.ts'
import { pages, preloadFonts } from './build/html.ts'
import { messages } from './build/language/plugin.ts'
import { serviceWorker } from './build/service-worker.ts'
import { sharePictures } from './build/share-pictures.ts'
import routes from './tsr.config.json' with { type: 'json' }

const api = 'http://localhost:3000'

const router = () =>
  tanstackRouter({
    // Named here, as the plugin looks for it in the folder that the build was started in.
    ...routes,
    // A loader knows its feature's queries, which nobody needs who is elsewhere; data is asked for while the component loads.
    codeSplittingOptions: { defaultBehavior: [['loader'], ['component']] },
  })

/** What makes modules of our sources, for each build. */
const sources = () => [messages(), router(), react()]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    sources(),
    chunks(sources),
    pages(),
    preloadFonts(),
    firstSightPlugin(),
    serviceWorker(),
    sharePictures(),
  ],
  build: {
    outDir: 'dist',
    // Every browser the build is for knows modulepreload.
    modulePreload: { polyfill: false },
    // The served policy allows fonts and scripts from files only, so nothing may become a data: address.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'app.html'],
      checks: { bundlerTimings: false },
      // Of a package's thousands of icons only those are read that are shown.
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
