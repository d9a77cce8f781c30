/// <reference types="vitest/config" />
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// `vite build` makes the page that `clew serve` serves. `vite build --mode gallery` makes a page that shows
// every board from files, without a server: for those who draw boards.
export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  root: mode === 'gallery' ? 'gallery' : '.',
  publicDir: mode === 'gallery' ? false : 'public',
  base: '/',
  // The page names its files from the root of a site, and the server adds a prefix there; files name each other from
  // where they are.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  build: {
    outDir: mode === 'gallery' ? '../../build/gallery' : '../src/clew/web',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // nothing as a data: address: the server's content policy stays simple
    chunkSizeWarningLimit: 200,
  },
  server: {
    proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } },
    fs: mode === 'test' ? { allow: ['..'] } : {}, // tests read our real rule books
  },
  resolve: mode === 'test' ? { conditions: ['browser'] } : {},
  test: { environment: 'jsdom', include: ['src/**/*.test.ts'] },
}));
