import { Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useId, useState } from 'react'
import classes from './FileDrop.module.css'

interface FileDropProps {
  label: string
  hint: string
  /** File extensions, separated by commas. */
  accept: string
  multiple?: boolean
  onFiles: (files: File[]) => void
}

/** A field for files, which can be dropped on it or chosen. */
export function FileDrop({ label, hint, accept, multiple = false, onFiles }: FileDropProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  return (
    <div className={classes.drop} data-over={over || undefined}>
      <IconFileUpload size={32} aria-hidden />
      <Text component="label" htmlFor={id} fw={600}>
        {label}
      </Text>
      <Text size="sm" c="dimmed" id={`${id}-hint`}>
        {hint}
      </Text>
      <input
        id={id}
        type="file"
        className={classes.input}
        aria-describedby={`${id}-hint`}
        {...{ accept, multiple }}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // Allows the same file to be chosen again after it was changed.
          currentTarget.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </div>
  )
}
