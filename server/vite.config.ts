import { defineConfig } from 'vite'

// One file for Node, in a folder from which it finds its own files. Its npm packages stay in node_modules.
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
