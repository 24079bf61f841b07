import { createServer, type Server } from 'node:net'
import { freePort, listen } from './free-port.ts'

export interface Mailbox {
  url: string
  /** The mails that were accepted, as received. */
  received: string[]
  /** The number of further mails to defer with "451 later". */
  putOff: number
  /** True while the mail server drops every connection. */
  isDown: boolean
  server: Server
}

/** Starts a minimal SMTP server that stores received mails and rejects those to `refused@…`. */
export async function openMailbox(): Promise<Mailbox> {
  const port = await freePort()
  const mailbox: Mailbox = {
    url: `smtp://127.0.0.1:${port}`,
    received: [],
    putOff: 0,
    isDown: false,
    server: createServer((socket) => {
      if (mailbox.isDown) return void socket.destroy()
      let inData = false
      let message = ''
      const answer = (command: string): string => {
        if (command.includes('refused@')) return '550 no such box'
        if (command.startsWith('RCPT') && mailbox.putOff > 0) {
          mailbox.putOff -= 1
          return '451 later'
        }
        if (command.startsWith('QUIT')) return '221 bye'
        return inData ? '354 go on' : '250 ok'
      }
      socket.write('220 mailbox\r\n')
      socket.on('data', (chunk) => {
        if (inData) {
          message += chunk.toString()
          if (!message.endsWith('\r\n.\r\n')) return
          mailbox.received.push(message)
          message = ''
          inData = false
          socket.write('250 kept\r\n')
          return
        }
        const command = chunk.toString()
        inData = command.startsWith('DATA')
        socket.write(`${answer(command)}\r\n`)
      })
    }),
  }
  await listen(mailbox.server, port)
  return mailbox
}
