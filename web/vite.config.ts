import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstSights } from './first-sight/plugin.ts'
import { isOfLanding, pages, preloadFonts } from './landing/plugin.ts'
import { serviceWorker } from './offline/plugin.ts'
import { sharePictures } from './share/plugin.ts'
import routes from './tsr.config.json' with { type: 'json' }

const api = 'http://localhost:3000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter({
      // Named here, as the plugin looks for it in the folder that the build was started in.
      ...routes,
      // A loader knows its feature's queries, which nobody needs who is elsewhere.
      codeSplittingOptions: { defaultBehavior: [['loader', 'component']] },
    }),
    react(),
    pages(),
    preloadFonts(),
    firstSights(),
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
      output: {
        codeSplitting: {
          groups: [
            {
              // What the app starts with is one file, so that its first page is not made of fifty.
              name: (id, modules) => (isOfLanding(id, modules) ? null : 'app'),
              debugName: 'app',
              tags: ['$initial'],
              includeDependenciesRecursively: false,
            },
            {
              // What most pages share is one file as well: fifty small ones come one after the other.
              name: (id, modules) => (isOfLanding(id, modules) ? null : 'shared'),
              debugName: 'shared',
              minShareCount: 20,
              includeDependenciesRecursively: false,
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
