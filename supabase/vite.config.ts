import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vite'

const folder = join(import.meta.dirname, 'functions')
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^[A-Za-z]/.test(entry.name))
  .map(({ name }) => name)

// One bundle per Edge Function, with everything it imports: dist/<name>.js.
export default defineConfig({
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: 'dist',
    target: 'node20',
    emptyOutDir: true,
    rolldownOptions: {
      // Validates invoices against their schema, which only tests do.
      external: ['libxml2-wasm'],
      input: Object.fromEntries(names.map((name) => [name, join(folder, name, 'index.ts')])),
    },
  },
})
