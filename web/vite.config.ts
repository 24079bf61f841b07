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

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single', addExtensions: true }),
    react(),
    preloadFonts(),
  ],
  build: {
    outDir: 'dist',
    // Tells scripts/prerender.mjs which files the landing page is made of.
    manifest: true,
    // The served policy allows fonts and scripts from files only, so nothing may become a data: address.
    assetsInlineLimit: 0,
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
