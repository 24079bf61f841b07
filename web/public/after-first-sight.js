// Starts the app of a page that has shown itself already: nothing of it is loaded before what is seen first. A page that nobody
// looks at yet is never drawn, and starts at once.
;(() => {
  const start = () => {
    const { content } = document.querySelector('template[data-app]')
    document.head.append(content.cloneNode(true))
  }
  if (document.hidden) start()
  else requestAnimationFrame(() => setTimeout(start))
})()
