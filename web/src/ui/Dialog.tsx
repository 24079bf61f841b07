import { Modal, type ModalProps } from '@mantine/core'
import { useCallback, useEffect, useId } from 'react'

/** The dialogs that are open, the one on top last. */
const open: string[] = []

/** A dialog that others may stand over: Escape closes the one on top alone. */
export function Dialog({ opened, onClose, children, ...modal }: ModalProps) {
  const id = useId()
  const inSight = useFocusInSight()
  useEffect(() => {
    if (!opened) return
    open.push(id)
    // Everybody hears the key that closes it, in no certain order: it stays on top until all have.
    return () => void setTimeout(() => open.splice(open.indexOf(id), 1))
  }, [opened, id])
  return (
    <Modal {...modal} opened={opened} onClose={() => open.at(-1) === id && onClose()}>
      <div ref={inSight}>{children}</div>
    </Modal>
  )
}

/** What loads above the control that has the focus would push it out of the dialog. */
function useFocusInSight() {
  return useCallback((content: HTMLDivElement) => {
    const grown = new ResizeObserver(() => {
      const focused = document.activeElement
      if (content.contains(focused)) focused?.scrollIntoView({ block: 'nearest' })
    })
    grown.observe(content)
    return () => grown.disconnect()
  }, [])
}
