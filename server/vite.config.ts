import { defineConfig } from 'vite'

// One file for Node, beside those that run it, as it finds its own by its folder; the packages it uses stay in node_modules.
export default defineConfig({
  build: {
    ssr: true,
    outDir: 'dist',
    target: 'node20',
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      input: ['src/main.ts', 'src/serve.ts'],
      output: { chunkFileNames: 'server.js' },
    },
  },
})
