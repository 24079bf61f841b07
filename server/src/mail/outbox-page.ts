// The captured-mail page: every mail as readable text with live links, its designed form one click away.
import type { CapturedMail } from './outbox-routes.ts'
import { escapeHtml } from './templates.ts'

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 46rem; padding: 2rem 1rem; color: #2a1f18; background: #fffbf4 }
  h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.1rem; margin: 0 0 .25rem }
  p { margin: .25rem 0 1.5rem } .meta { margin: 0 0 .75rem; color: #6b5f57 }
  article { background: #fff; border-radius: 14px; padding: 1rem 1.25rem; margin: 0 0 1rem; box-shadow: 0 1px 3px #2a1f1822 }
  pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 } a { color: #b4451f }
  summary { cursor: pointer; margin-top: .75rem; padding: .5rem 0 }
  iframe { width: 100%; height: 28rem; border: 1px solid #e8ddd0; border-radius: 10px; background: #fff }
  @media (prefers-color-scheme: dark) {
    body { color: #f3eae0; background: #171310 } article { background: #211b17 } .meta { color: #b8aca0 } a { color: #e07a52 }
  }`

export function renderOutbox(mails: readonly CapturedMail[]): string {
  const list =
    mails.length > 0 ? mails.map(renderMail).join('\n') : '<p>No mail yet. Reload after signing up.</p>'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Captured mail</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Captured mail</h1>
<p>This server sends no e-mail. What it would have sent is here, newest first.</p>
${list}
</main>
</body>
</html>
`
}

function renderMail({ to, subject, text, html, created_at }: CapturedMail): string {
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<div class="meta">to <b>${escapeHtml(to)}</b>, <time datetime="${escapeHtml(created_at)}">${escapeHtml(readableTime(created_at))}</time></div>
<pre>${withLinks(text)}</pre>
<details><summary>As designed</summary>
<iframe sandbox="" title="${escapeHtml(subject)}" loading="lazy" srcdoc="${escapeHtml(html)}"></iframe>
</details>
</article>`
}

const readableTime = (iso: string) => `${new Date(iso).toISOString().replace('T', ' ').slice(0, 19)} UTC`

// Escaped piece by piece: an address ends where it cannot go on, not at an entity that escaping put there.
const withLinks = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((piece, index) => {
      const safe = escapeHtml(piece)
      return index % 2 === 1 ? `<a href="${safe}">${safe}</a>` : safe
    })
    .join('')
