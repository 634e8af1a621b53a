/** E-mail over SMTP (RFC 5321), by nodemailer. STARTTLS is used where the server offers it, and demanded before a password is sent to
 *  another machine. Certificates are checked. */
import { notificationKindMessage } from '../../contract/services/notifications.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import type { Channel, SendResult, Sent } from '../model/channel.ts'

/** Where e-mails are handed over. */
export interface MailServer {
  /** `smtp://HOST:PORT` or `smtps://HOST:PORT`. */
  url: string
  from: string
  /** Name of the credential; '': none. */
  credential: string
}

interface EmailSetting {
  /** Undefined where e-mail is not set up. */
  server: () => MailServer | undefined
  /** The user and password of a credential, or why they are not available. */
  secretOf(credential: string): Promise<{ user: string; password: string } | { why: Message }>
  /** Named in each e-mail. */
  archive: string
}

/** A server that accepts a connection and then is silent. */
const silenceMsMax = 30_000

export function emailChannel({ server, secretOf, archive }: EmailSetting): Channel {
  return {
    async send(notification, recipient) {
      const known = server()
      if (known === undefined) return { isSent: false, why: message('notification.email.unset'), isLasting: true }
      if (recipient === '') return { isSent: false, why: message('notification.email.recipient'), isLasting: true }
      const secret = known.credential === '' ? undefined : await secretOf(known.credential)
      if (secret && 'why' in secret) return { isSent: false, why: secret.why, isLasting: false }
      const { hostname, port, protocol } = new URL(known.url)
      const isSecure = protocol === 'smtps:'
      const host = hostname.replace(/^\[|\]$/g, '')
      // Loaded on use: it is as large as the rest of this floor and all its connectors.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        ...{ host, port: Number(port) || (isSecure ? 465 : 587), secure: isSecure },
        requireTLS: secret !== undefined && !isSameMachine(host),
        ...{ connectionTimeout: silenceMsMax, greetingTimeout: silenceMsMax, socketTimeout: silenceMsMax },
        ...(secret && { auth: { user: secret.user, pass: secret.password } }),
      })
      try {
        const { response } = await transport.sendMail(
          mailOf(notification, { from: known.from, to: recipient, archive }),
        )
        return { isSent: true, answer: response }
      } catch (error) {
        return failure(error)
      } finally {
        transport.close()
      }
    },
  }
}

function isSameMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function mailOf(notification: Sent, { from, to, archive }: { from: string; to: string; archive: string }) {
  const kind = notificationKindMessage(notification.kind)
  const time = notification.at.slice(0, 19).replace('T', ' ')
  return {
    ...{ from, to, subject: textOf(message('notification.email.subject', { kind })) },
    text: textOf(
      message('notification.email.body', { text: notification.message, archive, time, times: notification.times }),
    ),
    // A repeated delivery has the same identifier (RFC 5322 section 3.6.4).
    messageId: `<notification-${notification.id}-${Date.parse(notification.at)}@loupe.invalid>`,
  }
}

/** Replies from 500 are permanent (RFC 5321 section 4.2.1), except for a login, whose password can be corrected. */
function failure(error: unknown): SendResult {
  const { responseCode = 0, code } = error as { responseCode?: unknown; code?: unknown }
  const status = Number(responseCode)
  const problem = messageOf(error)
  // A reply to STARTTLS is not about the e-mail.
  if (code === 'ETLS') return { isSent: false, why: message('notification.email.noTls', { problem }), isLasting: false }
  if (status === 0)
    return { isSent: false, why: message('notification.email.unreachable', { problem }), isLasting: false }
  const isLogin = status >= 530 && status <= 538
  return {
    isSent: false,
    why: message('notification.email.refused', { problem }),
    isLasting: status >= 500 && !isLogin,
  }
}
