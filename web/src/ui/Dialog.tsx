import { Modal, type ModalProps } from '@mantine/core'
import { useCallback, useEffect, useId } from 'react'
import classes from './Dialog.module.css'

/** The dialogs that are open, the one on top last. */
const open: string[] = []

interface DialogProps extends ModalProps {
  /** On a phone, the dialog comes up from the lower edge, as wide as the screen. */
  sheet?: boolean
}

const SHEET = {
  classNames: { inner: classes.sheetInner ?? '', content: classes.sheet ?? '' },
  transitionProps: { transition: 'slide-up' },
} as const

/** A dialog that may be covered by others: Escape closes only the one on top. */
export function Dialog({ opened, onClose, children, sheet = false, ...modal }: DialogProps) {
  const id = useId()
  const inSight = useFocusInSight()
  useEffect(() => {
    if (!opened) return
    open.push(id)
    // All dialogs receive the Escape key, in no particular order, so the closed one stays on top until all have
    // received it.
    return () => void setTimeout(() => open.splice(open.indexOf(id), 1))
  }, [opened, id])
  return (
    <Modal {...(sheet && SHEET)} {...modal} opened={opened} onClose={() => open.at(-1) === id && onClose()}>
      <div ref={inSight}>{children}</div>
    </Modal>
  )
}

/** Keeps the focused control in view when content loads above it. */
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
