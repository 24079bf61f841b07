import { defineConfig } from 'vite'

// One file for Node; the packages it uses stay in node_modules.
export default defineConfig({
  build: { ssr: 'src/main.ts', outDir: 'dist', target: 'node20', emptyOutDir: true, sourcemap: true },
})
